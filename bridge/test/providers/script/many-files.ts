import { expect } from "vitest";
import type { ScriptRig } from "./script-rig.ts";

/** Writes so many small files by one program, and sees that the event loop turns meanwhile, at least once in a hundred files. */
export async function expectManyFilesWritten(rig: ScriptRig, count: number): Promise<void> {
	let pulses = 0;
	const pulse = setInterval(() => {
		pulses += 1;
	}, 5);
	const { outcome, sink } = await rig.run(`
		for (let index = 0; index < ${count}; index++) {
			const written = await tools.files.write({ path: "many/" + (index % 100) + "/" + index + ".txt", text: "file " + index });
			if (!written.ok) throw new Error(written.error.message);
		}
		const listed = await tools.files.list({});
		return listed.ok ? String(listed.value.files.length) : listed.error.message;
	`);
	clearInterval(pulse);
	expect(outcome).toEqual({ kind: "ended" });
	expect(sink.text("result")).toBe(`${count}`);
	expect(sink.toolCalls().filter((call) => call.state === "completed")).toHaveLength(count + 1);
	expect(pulses).toBeGreaterThan(count / 100);
}
