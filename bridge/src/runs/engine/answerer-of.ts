import { omitUndefined } from "@xworkmate/contracts";
import type { Provider } from "../../ports/agents/provider.ts";
import type { RunRecord } from "../../ports/runs/run-record.ts";
import type { Answerer } from "../domain/conclude.ts";

/** `provider`: undefined if the run's provider is no longer set up. The bridge's own providers always are. */
export function answererOf({ provider: named, origin }: RunRecord, provider: Pick<Provider, "own"> | undefined): Answerer {
	return { provider: named, isForPlan: origin?.kind === "plan", ...omitUndefined({ own: provider?.own }) };
}
