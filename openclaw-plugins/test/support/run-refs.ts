import { artifactScope, OpenClawRunRef, RunId, ThreadId } from "@xworkmate/contracts";

/** The run `run-<n>` of a thread; a thread's runs share the session of its number. */
export function runRef(n: number, thread = 1): OpenClawRunRef {
	const runId = RunId.parse(`run-${n}`);
	return OpenClawRunRef.parse({
		runId,
		sessionKey: `agent:main:xwm-${String(thread).padStart(24, "0")}`,
		artifactScope: artifactScope(ThreadId.parse(`thread ${thread}`), runId),
	});
}
