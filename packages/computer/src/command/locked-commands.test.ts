import { chmodSync, readdirSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { commandStage, type GroundName } from "../testing/command-stage.ts";
import { done } from "../testing/computer-stage.ts";
import { fileText } from "../testing/trees.ts";

// Run once more by an ordinary user, who is the one it is about: ordinary-user.int.test.ts.
describe.each(["overlay", "live"] satisfies GroundName[])(
  "what its owner may not write or read, on the %s folder",
  (ground) => {
    const stage = commandStage(ground);

    test("FOLD-32: a directory without the right to write gets and loses files, keeps its mode, and all comes back", async () => {
      const desk = await stage();
      const modes = () => ["mod", "mod/a"].map((name) => statSync(desk.at(name)).mode & 0o777);
      const first = await desk.sh("mkdir -p mod/a; echo r > mod/a/r; chmod 555 mod/a mod");
      const second = await desk.sh("chmod 755 mod/a; echo n > mod/a/n; rm -f mod/a/r; chmod 555 mod/a");
      expect([...first.blocked, ...second.blocked]).toEqual([]);
      expect(readdirSync(desk.at("mod/a"))).toEqual(["n"]);
      expect(modes()).toEqual([0o555, 0o555]);
      const third = await desk.sh("chmod 755 mod; chmod 700 mod/a; mv mod/a mod/b; chmod 555 mod/b mod; echo x > x");
      expect(await desk.computer.verify()).toMatchObject({ ok: true });
      expect(third.blocked).toEqual([]);
      done(await desk.computer.undo({ call: third.call }));
      expect([modes(), readdirSync(desk.at("mod/a"))]).toEqual([[0o555, 0o555], ["n"]]);
      done(await desk.computer.undo({ call: second.call }));
      expect([modes(), readdirSync(desk.at("mod/a"))]).toEqual([[0o555, 0o555], ["r"]]);
      expect(await desk.computer.verify()).toMatchObject({ ok: true });
      done(await desk.computer.undo({ call: first.call }));
      expect(desk.disk()).toEqual({});
      expect(await desk.computer.verify()).toMatchObject({ ok: true });
    });

    test("FOLD-33: a file that may not be read is changed and taken back like any other", async () => {
      const desk = await stage();
      const first = await desk.sh("echo secret > locked; chmod 0 locked");
      const second = await desk.sh("chmod 600 locked; echo changed > locked; chmod 0 locked");
      expect(await desk.computer.verify()).toMatchObject({ ok: true });
      done(await desk.computer.undo({ call: second.call }));
      expect(statSync(desk.at("locked")).mode & 0o777).toBe(0);
      chmodSync(desk.at("locked"), 0o600);
      expect(desk.disk()).toEqual({ "workspace/locked": fileText("secret\n", 0o600) });
      chmodSync(desk.at("locked"), 0);
      done(await desk.computer.undo({ call: first.call }));
      expect(desk.disk()).toEqual({});
      expect(await desk.computer.verify()).toMatchObject({ ok: true });
    });
  },
);
