import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
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

    const MODES = ["000", "100", "200", "300", "400", "500", "600", "700", "077"];

    test("CMD-4, FOLD-34: directories of any mode are verified, changed, taken up and taken back like any other", async () => {
      const desk = await stage();
      const modes = () => MODES.map((name) => (statSync(desk.at(name)).mode & 0o777).toString(8).padStart(3, "0"));
      const each = (line: string) => `for m in ${MODES.join(" ")}; do ${line}; done`;
      const first = await desk.sh(each("mkdir -p $m/sub; echo c > $m/c; echo s > $m/sub/s; chmod $m $m/sub $m"));
      const [all, end] = [await desk.tree(), await desk.head()];
      expect(await desk.computer.verify()).toMatchObject({ ok: true, folder: { notes: [] } });
      const second = await desk.sh(each("chmod 700 $m $m/sub; echo n > $m/sub/s; rm $m/c; chmod $m $m/sub $m"));
      expect([first, second]).toMatchObject([
        { changed: MODES.length * 4, blocked: [], notes: [] },
        { changed: MODES.length * 2, blocked: [], notes: [] },
      ]);
      expect([modes(), await desk.text("000/sub/s")]).toEqual([MODES, "n\n"]);
      chmodSync(desk.at("000"), 0o700);
      writeFileSync(desk.at("000/outside"), "o");
      chmodSync(desk.at("000"), 0);
      expect(await desk.computer.capture()).toMatchObject({ changed: 1, notes: [] });
      const third = await desk.sh("chmod -R 700 000; rm -r 000; mkdir 000; echo other > 000/c; chmod 000 000");
      expect(await desk.computer.verify()).toMatchObject({ ok: true, folder: { notes: [] } });
      expect([third, desk.computer.unkept()]).toMatchObject([{ blocked: [], notes: [] }, []]);
      done(await desk.computer.undo({ call: third.call }));
      expect([modes(), await desk.text("000/outside"), await desk.text("000/c")]).toEqual([MODES, "o", undefined]);
      done(await desk.computer.undo({ since: end }));
      expect([modes(), await desk.tree()]).toEqual([MODES, all]);
      done(await desk.computer.undo({ call: first.call }));
      expect(desk.disk()).toEqual({});
      expect(await desk.computer.verify()).toMatchObject({ ok: true });
      expect(desk.trouble).toEqual([]);
    });

    test("CMD-6: one that shut what it changed, and was cut off, leaves nothing", async () => {
      const desk = await stage();
      await desk.sh("mkdir -p d/sub; echo 1 > d/1; echo 2 > d/2; echo s > d/sub/s");
      const before = desk.disk();
      const line = "rm d/1; echo changed > d/2; mkdir e; echo e > e/e; chmod 000 d/sub d; chmod 100 e; sleep 60";
      const cut = await desk.sh(line, { limits: { timeMs: 1500 } });
      expect(cut).toMatchObject({ how: "limit", changed: 0, blocked: [] });
      expect(cut.notes).toEqual(
        ground === "live"
          ? ["what it did was taken back, but for what is ignored"]
          : ["nothing of what it did was kept"],
      );
      expect(desk.disk()).toEqual(before);
      expect(await desk.tree()).toEqual(before);
    });

    test.runIf(ground === "live")("CMD-6: what can't be taken back isn't said to be", async () => {
      const desk = await stage();
      const cut = await desk.sh("echo x > new; mkfifo pipe; sleep 60", { limits: { timeMs: 1500 } });
      expect(cut.notes).toEqual(["pipe is a FIFO, which can't be kept", "not all that it did was taken back"]);
      expect(readdirSync(desk.at(""))).toEqual(["pipe"]);
      const again = await desk.sh("echo x > new; sleep 60", { limits: { timeMs: 1500 } });
      expect(again.notes).toEqual([
        "pipe is a FIFO, which can't be kept",
        "what it did was taken back, but for what is ignored",
      ]);
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
