import { ProviderId } from "@xworkmate/contracts";
import type { Logger } from "pino";
import type { Provider } from "../../ports/agents/provider.ts";
import type { ProgramChecker } from "../../ports/programs/program-checker.ts";
import type { Sandbox } from "../../ports/programs/sandbox.ts";
import { noIntegrations } from "../../programs/no-integrations.ts";
import type { ProgramEngineDeps } from "../../programs/program-engine.ts";
import { RunningTurns } from "../../programs/running-turns.ts";
import { defaultScriptLimits, type ScriptLimits } from "../../tools/built-in/script-limits.ts";
import { runScriptTurn, type ScriptTurnDeps } from "./script-turn.ts";

export interface ScriptProviderDeps {
	/** Closed with the provider. */
	readonly sandbox: Sandbox;
	/** Closed with the provider. */
	readonly checker: ProgramChecker;
	readonly log: Pick<Logger, "error" | "warn">;
	/** The integrations that programs may call. Absent: none. */
	readonly integrations?: Pick<ProgramEngineDeps, "hosts" | "policy" | "clock" | "parkMs">;
	/** Overrides of the defaults; `timeMs` is the turn's budget, 10 minutes by default. */
	readonly limits?: Partial<ScriptLimits>;
}

/**
 * The embedded provider. The prompt is a TypeScript program, or contains a program in its only code block, which may also be JavaScript.
 * The program runs in the sandbox with
 * `tools.files`, `tools.time` and the integrations' tools. It needs no agent and no key, reads only the user's message, keeps no
 * conversation, and accepts no attachments.
 */
export function createScriptProvider(deps: ScriptProviderDeps): Provider {
	const integrations = deps.integrations ?? noIntegrations;
	const turnDeps: ScriptTurnDeps = { ...deps, ...integrations, limits: { ...defaultScriptLimits, ...deps.limits } };
	const running = new RunningTurns();
	return {
		providerId: ProviderId.parse("script"),
		label: "Script",
		own: "programs",
		target: "agent",
		handsOver: true,
		durable: "once_acted",
		features: { approvals: deps.integrations !== undefined, followUp: false, resume: false, attachments: false, deliverable: "structured" },
		toolCatalogue: () => integrations.hosts.catalogue(),
		availability: async () => ({ available: true }),
		runTurn: (turn, sink, stop) => running.run(stop, (stopped) => runScriptTurn(turnDeps, turn, sink, stopped)),
		async releaseSession() {
			// Nothing to release: a turn leaves nothing for the next one.
		},
		async close() {
			await running.close();
			await Promise.all([deps.checker.close(), deps.sandbox.close()]);
		},
	};
}
