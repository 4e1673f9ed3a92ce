import { artifactScope, type OpenClawRunRef, RunId, ThreadId } from "@xworkmate/contracts";
import { newSessionKey } from "./turn/session-key.ts";

const threadId = ThreadId.parse("xworkmate-trial");
const ID_LENGTH = 24;

/**
 * The run with which a bridge tests a gateway. Nothing is ever sent in it. A bridge always uses the same run, so that its next test removes
 * a run that remains because an answer was lost. A bridge that connects with a device identity has a trial run of its own; all other
 * bridges share one.
 */
export function trialRun(deviceId = "unpaired"): OpenClawRunRef {
	const runId = RunId.parse(`trial-${deviceId.slice(0, ID_LENGTH)}`);
	return { runId, sessionKey: newSessionKey(threadId, runId), artifactScope: artifactScope(threadId, runId) };
}
