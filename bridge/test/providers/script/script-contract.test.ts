import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Play, providerContract } from "../provider-contract.ts";
import { ScriptRig } from "./script-rig.ts";

const programs: Readonly<Record<Play, string>> = {
	ends: "await tools.files.write({ path: 'made.txt', text: 'made' }); console.log('hello')",
	breaks: "throw new Error('broken')",
	works: "console.log('hello'); await tools.time.wait({ ms: 600_000 })",
	calls: "await tools.files.write({ path: 'made.txt', text: 'made' })",
};

providerContract("script", async () => {
	const rig = await ScriptRig.open();
	return {
		provider: rig.provider,
		turn: (play) => rig.turn(programs[play]),
		reached: ({ artifactDirectory }) => existsSync(join(artifactDirectory, "made.txt")),
		// Its calls of typed tools are the bridge's own, which asks about them itself.
		asking: undefined,
		[Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
	};
});
