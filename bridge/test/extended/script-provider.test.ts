import { afterAll, beforeAll, describe, it } from "vitest";
import { expectManyFilesWritten } from "../providers/script/many-files.ts";
import { ScriptRig } from "../providers/script/script-rig.ts";

let rig: ScriptRig;
beforeAll(async () => {
	rig = await ScriptRig.open();
});
afterAll(async () => {
	await rig[Symbol.asyncDispose]();
});

describe("a script that writes much", () => {
	it("makes ten thousand small files without holding up the bridge", () => expectManyFilesWritten(rig, 10_000), 120_000);
});
