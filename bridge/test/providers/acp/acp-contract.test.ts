import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Play, providerContract } from "../provider-contract.ts";
import { AcpBench } from "./support/acp-bench.ts";

const prompts: Readonly<Record<Play, string>> = {
	ends: "UNRULY:WRITE made.txt made ;; SAY hello",
	breaks: "UNRULY:DIE",
	works: "UNRULY:SAY hello ;; HANG",
	calls: "UNRULY:TOOL make",
};

providerContract("acp", async () => {
	const bench = await AcpBench.open();
	return {
		provider: bench.provider(),
		turn: async (play, session) => (await bench.turn(prompts[play], session === undefined ? {} : { session })).turn,
		reached: ({ artifactDirectory }) => existsSync(join(artifactDirectory, "made.txt")),
		asking: {
			turn: async () => (await bench.turn("UNRULY:ASK_AND_DO make", {})).turn,
			made: ({ artifactDirectory }) => existsSync(join(artifactDirectory, "asked.txt")),
		},
		[Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
	};
});
