import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";

export interface RepositoryServer {
  readonly head: string;
  handler(request: IncomingMessage, response: ServerResponse): void;
}

/** A repository `r.git` with one commit, for git's plainest protocol: files. */
export function repositoryServer(dir: string): RepositoryServer {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@a.test", ...args], { cwd: dir, stdio: "pipe" });
  git("init", "-q", "-b", "main", "work");
  git("-C", "work", "commit", "-q", "--allow-empty", "-m", "first");
  git("clone", "-q", "--bare", "work", "r.git");
  git("-C", "r.git", "update-server-info");
  return {
    head: String(git("-C", "r.git", "rev-parse", "HEAD")).trim(),
    handler(request, response) {
      try {
        response.end(readFileSync(join(dir, new URL(request.url ?? "", "http://git.test").pathname)));
      } catch {
        response.writeHead(404).end();
      }
    },
  };
}
