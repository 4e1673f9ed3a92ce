import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ScriptRig } from "../providers/script/script-rig.ts";

let rig: ScriptRig;
beforeAll(async () => {
	rig = await ScriptRig.open();
});
afterAll(async () => {
	await rig[Symbol.asyncDispose]();
});

describe("a script that writes much", () => {
	it("makes ten thousand small files without holding up the bridge", async () => {
		let pulses = 0;
		const pulse = setInterval(() => {
			pulses += 1;
		}, 5);
		const { outcome, sink } = await rig.run(`
			for (let index = 0; index < 10_000; index++) {
				const written = await tools.files.write({ path: "many/" + (index % 100) + "/" + index + ".txt", text: "file " + index });
				if (!written.ok) throw new Error(written.error.message);
			}
			const listed = await tools.files.list({});
			return listed.ok ? String(listed.value.files.length) : listed.error.message;
		`);
		clearInterval(pulse);
		expect(outcome).toEqual({ kind: "ended" });
		expect(sink.text("result")).toBe("10000");
		expect(sink.toolCalls().filter((call) => call.state === "completed")).toHaveLength(10_001);
		expect(pulses).toBeGreaterThan(100);
	}, 120_000);
});
