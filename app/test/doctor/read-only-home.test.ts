import { chmodSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { examineMachine } from "../../src/doctor/examine-machine.ts";
import { temporaryHome } from "../support/temporary-home.ts";

// The superuser may write everywhere.
describe.skipIf(process.platform === "win32" || process.getuid?.() === 0)("a home that can't be written", () => {
	it("is what doctor says, and not that the disk is at fault", async () => {
		using home = temporaryHome();
		chmodSync(home.path, 0o500);
		const findings = await examineMachine(home.path);
		chmodSync(home.path, 0o700);
		expect(findings.find(({ about }) => about === "home")).toEqual({
			about: "home",
			state: "problem",
			message: `${home.path} can't be used because permission was denied.`,
			fix: "Check its owner and permissions, or set XWORKMATE_HOME to a folder of your own.",
		});
		expect(findings.find(({ about }) => about === "disk")?.state).not.toBe("problem");
	});
});
