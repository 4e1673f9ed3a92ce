import type { OpenClawRunState } from "@xworkmate/contracts";
import type { Respond } from "./gateway-double.ts";
import { hello } from "./gateway-double.ts";

export interface DoubleRun {
	state: OpenClawRunState;
	text?: string;
	cancelRequested?: boolean;
}

/** An answer, an error, or nothing at all. */
type Answer = ReturnType<Respond>;

const acting = new Set([
	"xworkmate.session.prepare",
	"xworkmate.session.release",
	"xworkmate.tasks.cancel",
	"chat.send",
	"chat.abort",
	"sessions.patch",
]);

/** The plugin's methods over runs kept in memory, and the gateway's that a run needs. A test puts its own in front. */
export class PluginDouble {
	readonly runs = new Map<string, DoubleRun>();
	/** Every call that acts, in order: method and run. */
	readonly calls: string[] = [];
	readonly sessionKeys: string[] = [];
	before: (method: string, params: Readonly<Record<string, unknown>>, connection: number) => Answer | "go on" = () => "go on";
	contractVersion = 1;
	/** Of the gateway. */
	version = "2026.9.6";
	/** What the plugin's doctor finds. */
	problems: readonly { readonly code: string; readonly message: string; readonly fix: string }[] = [];

	readonly respond: Respond = ({ method, params }, connection) => {
		const runId = String(params.runId ?? params.idempotencyKey ?? "");
		if (acting.has(method)) this.calls.push(`${method} ${runId}`);
		const first = this.before(method, params, connection);
		return first === "go on" ? this.#answer(method, params, runId) : first;
	};

	#answer(method: string, params: Readonly<Record<string, unknown>>, runId: string): Answer {
		const run = this.runs.get(runId);
		switch (method) {
			case "connect": {
				const { payload } = hello();
				return { payload: { ...payload, server: { ...payload.server, version: this.version } } };
			}
			case "xworkmate.doctor":
				return { payload: { contractVersion: this.contractVersion, pluginVersion: "0", gatewayVersion: "0", problems: this.problems } };
			case "xworkmate.session.prepare":
				this.sessionKeys.push(String(params.sessionKey));
				this.runs.set(runId, { state: "prepared" });
				return { payload: { ...task(params, { state: "prepared" }), artifactDirectory: "/a", workspaceDirectory: "/w" } };
			case "xworkmate.session.release":
				return this.runs.delete(runId) ? { payload: { released: true } } : refusal("RUN_UNKNOWN");
			case "xworkmate.tasks.get":
				return run === undefined ? refusal("RUN_UNKNOWN") : { payload: task(params, run) };
			case "xworkmate.tasks.cancel":
				if (run === undefined) return refusal("RUN_UNKNOWN");
				run.cancelRequested = true;
				if (run.state === "prepared" || run.state === "running") run.state = "cancelled";
				return { payload: task(params, run) };
			case "xworkmate.approvals.list":
				return { payload: { items: [] } };
			case "chat.send":
				if (run?.state === "prepared") run.state = "running";
				return { payload: { runId, status: "started" } };
			case "agent.wait":
				return undefined;
			default:
				return { payload: {} };
		}
	}
}

/** An error of the plugin. */
export function refusal(code: string): Answer {
	return { error: { code: "INVALID_REQUEST", message: `no: ${code}`, details: { code } } };
}

function task(params: Readonly<Record<string, unknown>>, { state, text, cancelRequested = false }: DoubleRun) {
	const { runId, sessionKey, artifactScope } = params;
	const output = text === undefined ? {} : { output: { text, truncated: false, totalBytes: text.length } };
	return { runId, sessionKey, artifactScope, state, cancelRequested, preparedAt: "2026-11-22T00:00:00.000Z", collected: false, ...output };
}
