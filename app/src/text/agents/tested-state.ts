import type { ProviderCapability } from "@xworkmate/contracts";
import { ASSISTANT } from "../../strings/codes.ts";

/** An earlier bridge does not report which providers are its own. */
const own: readonly string[] = [ASSISTANT, "script"];

/**
 * What is known about an agent that is available. `ready`: the agent answered its last test; or it was never tested, but answered in a run;
 * or it is XWorkmate's own or a gateway, which reports on its own whether it can work. `untested`: only its program was found. `failed`:
 * its last test failed, or a run failed because the agent did not work.
 */
export type TestedState = "ready" | "untested" | "failed";

export function testedState({ providerId, target, own: isOwn, lastTest, answeredAt, failedRun }: TestedProvider): TestedState {
	if (failedRun !== undefined) return "failed";
	if (target === "gateway" || isOwn !== undefined || own.includes(providerId)) return "ready";
	if (lastTest === undefined) return answeredAt === undefined ? "untested" : "ready";
	return lastTest.problem === undefined ? "ready" : "failed";
}

export type TestedProvider = Pick<ProviderCapability, "providerId" | "target" | "own" | "lastTest" | "answeredAt" | "failedRun">;
