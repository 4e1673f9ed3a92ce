import type { OpenClawApproval } from "@xworkmate/contracts";

const REPEAT_MS = 60_000;

export type EmitDiagnostic = (event: Readonly<Record<string, unknown>>) => void;

/**
 * Makes a held call appear to the gateway as a running tool call. OpenClaw 2026.9 ends a run that shows no activity for six minutes, even
 * one that waits for the user; a tool that reports activity gets fifteen minutes from its last report.
 * @returns a function to call when the wait has ended
 */
export function showWaiting({ id, runId, sessionKey }: OpenClawApproval, emit: EmitDiagnostic): () => void {
	const tool = { runId, sessionKey, toolName: "xworkmate_approval", toolCallId: `approval:${id}` };
	const startedAt = Date.now();
	const show = () => emit({ type: "tool.execution.started", ...tool });
	show();
	const timer = setInterval(show, REPEAT_MS);
	timer.unref();
	return () => {
		clearInterval(timer);
		emit({ type: "tool.execution.completed", ...tool, durationMs: Date.now() - startedAt });
	};
}
