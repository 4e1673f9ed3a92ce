import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { diskFinding, examineMachine, homeFinding, readOnlyDisk } from "../../src/doctor/examine-machine.ts";
import { temporaryHome } from "../support/temporary-home.ts";

it("a home on a read-only file system is told as that, and not as a full disk", () => {
	const finding = homeFinding("/media/cd", "EROFS");
	expect(finding).toMatchObject({
		about: "home",
		state: "problem",
		message: "/media/cd is on a read-only file system. Nothing can be saved.",
	});
	expect(finding.fix).toMatch(/^Make the file system writable, or set XWORKMATE_HOME/);
	// As a CD says it: nothing free.
	const disk = readOnlyDisk({ freeBytes: 0, totalBytes: 1_000 });
	expect(disk).toMatchObject({ about: "disk", state: "note" });
	expect(JSON.stringify(disk)).not.toMatch(/free/i);
});

// Root may write whatever a folder's mode says, except below /proc/sys.
const unwritable = process.getuid?.() === 0 ? "/proc/sys" : undefined;

it.runIf(process.platform === "linux")("a home that cannot be written to is a problem, and names how to fix it", async () => {
	using home = temporaryHome();
	const folder = unwritable ?? join(home.path, "closed");
	if (unwritable === undefined) {
		mkdirSync(folder);
		chmodSync(folder, 0o500);
	}
	const findings = await examineMachine(folder);
	expect(findings.find(({ about }) => about === "home")).toMatchObject({
		state: "problem",
		fix: expect.stringContaining("XWORKMATE_HOME"),
	});
});

it("a home that can be written to is fine, and one that is not there yet is on the disk of the folder above", async () => {
	using home = temporaryHome();
	const findings = await examineMachine(home.path);
	expect(findings.find(({ about }) => about === "home")).toEqual({ about: "home", state: "ok", message: home.path });
	const later = await diskFinding(join(home.path, "not", "yet"));
	expect(later.message.split(" of ")[1]).toBe((await diskFinding(home.path)).message.split(" of ")[1]);
});
