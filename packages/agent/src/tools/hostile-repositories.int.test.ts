import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTree } from "@choiros/sandbox";
import { afterAll, expect, test } from "vitest";
import { toolStage } from "./testing/tool-stage.ts";

const stage = toolStage();
/** Of the host. In a sandbox there is no such folder: whatever comes to be in it was made outside. */
const canaries = mkdtempSync(join(tmpdir(), "choir-canary-"));
const repositories = mkdtempSync(join(tmpdir(), "choir-hostile-"));
afterAll(async () => {
  await removeTree(canaries);
  await removeTree(repositories);
});

const HOOKS = ["pre-commit", "post-commit", "post-checkout", "post-index-change", "reference-transaction", "pre-push"];

/** Where a repository can say what git is to run. */
const HOSTILE: Readonly<Record<string, (repo: string, run: string) => void>> = {
  hooks: (repo, run) => {
    for (const name of HOOKS) script(join(repo, ".git/hooks", name), run);
  },
  "hooks elsewhere": (repo, run) => {
    config(repo, `[core]\n\thooksPath = my-hooks\n`);
    mkdirSync(join(repo, "my-hooks"));
    script(join(repo, "my-hooks/post-checkout"), run);
  },
  fsmonitor: (repo, run) => config(repo, `[core]\n\tfsmonitor = "${run}; false"\n`),
  "a filter": (repo, run) => {
    config(repo, `[filter "x"]\n\tclean = "${run}; cat"\n\tsmudge = "${run}; cat"\n`);
    writeFileSync(join(repo, ".gitattributes"), "* filter=x\n");
  },
  "a process for a filter": (repo, run) => {
    config(repo, `[filter "x"]\n\tprocess = "${run}"\n\trequired = false\n`);
    writeFileSync(join(repo, ".gitattributes"), "* filter=x\n");
  },
  "attributes of a diff": (repo, run) => {
    config(repo, `[diff "x"]\n\ttextconv = "${run}; cat"\n`);
    writeFileSync(join(repo, ".gitattributes"), "* diff=x\n");
  },
  "a diff of its own": (repo, run) => config(repo, `[diff]\n\texternal = "${run}; true"\n`),
  "a merge of its own": (repo, run) => {
    config(repo, `[merge "x"]\n\tdriver = "${run}; true"\n`);
    mkdirSync(join(repo, ".git/info"), { recursive: true });
    writeFileSync(join(repo, ".git/info/attributes"), "* merge=x\n");
  },
  "a submodule": (repo, run) => {
    git(repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repo, "s");
    git(repo, "commit", "-qm", "with a part");
    git(join(repo, "s"), "checkout", "-q", "HEAD~1"); // so that there is something to bring up to date
    config(repo, `[submodule "s"]\n\tupdate = "!${run}; true"\n`);
  },
  "an included file": (repo, run) => {
    config(repo, "[include]\n\tpath = ../included\n");
    writeFileSync(join(repo, "included"), `[core]\n\tfsmonitor = "${run}; false"\n`);
  },
  "a program for the editor, the pager and ssh": (repo, run) => {
    config(repo, `[core]\n\teditor = "${run}; true"\n\tpager = "${run}; cat"\n\tsshCommand = "${run}; false"\n`);
    config(repo, `[remote "origin"]\n\turl = ssh://nowhere.invalid/x\n`);
  },
  "an alias and a helper": (repo, run) => {
    config(repo, `[alias]\n\tst = "!${run}"\n[credential]\n\thelper = "!${run}"\n`);
  },
};

/** What somebody does in a repository, each for itself. */
const WORK = [
  "git submodule update --init",
  ...["git status", "git add -A", "git diff HEAD~1", "git diff --cached", "git log -p -1", "git st", "git fetch"],
  ...[
    "git commit --allow-empty -m more",
    "git commit --allow-empty",
    "git stash",
    "git checkout other",
    "git merge -m m main",
  ],
  ...["git checkout -- .", "git checkout -b another", "git -p log"],
];

test.each(Object.keys(HOSTILE))(
  "S3: nothing outside of the sandbox runs what a repository says, whoever meets it: %s",
  async (name) => {
    const repo = hostile(name);
    const canary = join(canaries, "canary");
    const control = join(repositories, `${name}-control`);
    cpSync(repo, control, { recursive: true });
    const home = mkdtempSync(join(repositories, "home-"));
    for (const line of WORK)
      spawnSync("sh", ["-c", line], { cwd: control, env: { ...process.env, ...AUTHOR, HOME: home }, timeout: 30_000 });
    expect(existsSync(canary), "on the host it does run").toBe(true);
    execFileSync("rm", [canary]);

    const desk = await stage();
    const { computer } = desk;
    cpSync(repo, join(computer.root, "workspace/theirs"), { recursive: true });
    cpSync(join(repo, ".git"), join(computer.root, ".git"), { recursive: true }); // and as the computer's own
    await computer.capture();
    expect(await computer.add(repo, "workspace/added")).toMatchObject({ ok: true });
    for (const folder of ["theirs", "added", "."]) {
      const lines = WORK.map((line) => `(${line}) </dev/null`).join("; ");
      const { text } = await desk.use("bash", {
        command: `cd ${folder}; ${exports()}; ${lines}; echo end`,
        timeout_s: 120,
      });
      expect(text).toContain("end\n");
    }
    await desk.use("search_files", { text: "first" });
    await desk.use("list_files", { path: "theirs" });
    await desk.use("read_file", { path: "theirs/.git/config" });
    expect(await computer.undo({ since: 1 })).toMatchObject({ ok: true });
    await computer.verify();
    expect(readdirSync(canaries)).toEqual([]);
  },
  180_000,
);

function hostile(name: string): string {
  const repo = join(repositories, name);
  mkdirSync(repo);
  git(repo, "init", "-q", "-b", "main");
  writeFileSync(join(repo, "a.txt"), "first\n");
  git(repo, "add", ".");
  git(repo, "commit", "-qm", "first");
  git(repo, "checkout", "-qb", "other");
  writeFileSync(join(repo, "a.txt"), "other\n");
  git(repo, "commit", "-qam", "other");
  git(repo, "checkout", "-q", "main");
  writeFileSync(join(repo, "a.txt"), "second\n");
  git(repo, "commit", "-qam", "second");
  HOSTILE[name]?.(repo, `touch ${join(canaries, "canary")}`);
  writeFileSync(join(repo, "a.txt"), "third\n");
  return repo;
}

const AUTHOR = {
  ...{ GIT_AUTHOR_NAME: "ada", GIT_AUTHOR_EMAIL: "ada@example.org" },
  ...{
    GIT_COMMITTER_NAME: "ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
    GIT_CONFIG_GLOBAL: "/dev/null",
    EDITOR: "true",
  },
};

function exports(): string {
  return `export ${Object.entries(AUTHOR)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ")}`;
}

function git(repo: string, ...args: string[]): void {
  execFileSync("git", args, { cwd: repo, env: { ...process.env, ...AUTHOR } });
}

function config(repo: string, text: string): void {
  appendFileSync(join(repo, ".git/config"), text);
}

function script(path: string, run: string): void {
  writeFileSync(path, `#!/bin/sh\n${run}\n`);
  chmodSync(path, 0o755);
}
