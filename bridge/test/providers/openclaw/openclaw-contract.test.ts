import { artifactScope, RunId } from "@xworkmate/contracts";
import type { ProviderTurn } from "../../../src/ports/agents/provider.ts";
import type { ProviderSession } from "../../../src/ports/runs/session-store.ts";
import { type Play, providerContract } from "../provider-contract.ts";
import { refusal } from "./plugin-double.ts";
import { providerScene, threadId, turn } from "./provider-scene.ts";

const toolCallId = "call-1";
const asked = { id: "held-1", toolCallId, title: "exec make", toolKind: "execute", inputHash: "0".repeat(64), command: "make" };

providerContract("openclaw", async () => {
	const scene = await providerScene();
	const plays = new Map<string, Play | "asks">();
	/** The runs whose call was allowed. */
	const made = new Set<string>();
	let asking = { runId: "", sessionKey: "" };
	const say = (run: object, stream: string, data: object) => scene.double.event("agent", { ...run, stream, data });
	const call = (run: object) => {
		for (const phase of ["start", "result"]) say(run, "tool", { phase, name: "exec", toolCallId, args: { command: "make" } });
	};
	const completed = (runId: string) => {
		scene.plugin.runs.set(runId, { state: "completed", text: "hello" });
		return { payload: { runId, status: "started" } };
	};
	// The gateway takes the message, and what follows is the play's.
	scene.plugin.before = (method, { idempotencyKey, sessionKey, allow }) => {
		if (method === "xworkmate.approvals.answer") {
			if (allow === true) {
				made.add(asking.runId);
				call(asking);
			}
			completed(asking.runId);
			return { payload: { applied: true } };
		}
		if (method !== "chat.send") return "go on";
		const runId = String(idempotencyKey);
		const run = { runId, sessionKey: String(sessionKey) };
		switch (plays.get(runId)) {
			case "breaks":
				return refusal("BROKEN");
			case "works":
				say(run, "assistant", { text: "hello", delta: "hello", itemId: "i" });
				return "go on";
			case "calls":
				call(run);
				return completed(runId);
			case "asks":
				asking = run;
				scene.double.event("plugin.xworkmate.approval", {
					approval: { ...asked, ...run, requestedAt: "2026-11-22T00:00:00.000Z" },
					state: "pending",
				});
				return "go on";
			default:
				return completed(runId);
		}
	};
	const turnOf = async (play: Play | "asks", session?: ProviderSession): Promise<ProviderTurn> => {
		const runId = RunId.parse(`run-${plays.size + 1}`);
		plays.set(runId, play);
		return { ...turn, runId, artifactScope: artifactScope(threadId, runId), ...(session === undefined ? {} : { session }) };
	};
	return {
		provider: scene.provider,
		turn: turnOf,
		reached: ({ runId }) => scene.plugin.calls.includes(`chat.send ${runId}`),
		asking: { turn: () => turnOf("asks"), made: ({ runId }) => made.has(runId) },
		[Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
	};
});
