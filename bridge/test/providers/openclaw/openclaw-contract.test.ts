import { artifactScope, RunId } from "@xworkmate/contracts";
import { type Play, providerContract } from "../provider-contract.ts";
import { refusal } from "./plugin-double.ts";
import { providerScene, threadId, turn } from "./provider-scene.ts";

providerContract("openclaw", async () => {
	const scene = await providerScene();
	const plays = new Map<string, Play>();
	// The gateway takes the message, and what follows is the play's.
	scene.plugin.before = (method, { idempotencyKey, sessionKey }) => {
		if (method !== "chat.send") return "go on";
		const runId = String(idempotencyKey);
		switch (plays.get(runId)) {
			case "breaks":
				return refusal("BROKEN");
			case "works":
				scene.double.event("agent", { runId, sessionKey, stream: "assistant", data: { text: "hello", delta: "hello", itemId: "i" } });
				return "go on";
			default:
				scene.plugin.runs.set(runId, { state: "completed", text: "hello" });
				return { payload: { runId, status: "started" } };
		}
	};
	return {
		provider: scene.provider,
		turn: async (play, session) => {
			const runId = RunId.parse(`run-${plays.size + 1}`);
			plays.set(runId, play);
			return { ...turn, runId, artifactScope: artifactScope(threadId, runId), ...(session === undefined ? {} : { session }) };
		},
		reached: ({ runId }) => scene.plugin.calls.includes(`chat.send ${runId}`),
		[Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
	};
});
