import type { Occurrence } from "@xworkmate/contracts";
import { useApp, useProviderName } from "../state/app-context.tsx";

/**
 * The name of the agent that did an occurrence's work, as far as the list of threads knows: it has the agent of each thread's newest run.
 * The plan may have been given another agent since, so where the list does not know, the name is "The agent".
 */
export function useAgentOf({ runs }: Pick<Occurrence, "runs">): string {
	const { threads } = useApp().app;
	const run = runs.at(-1);
	const newest = threads.find(({ threadId, lastTurn }) => threadId === run?.threadId && lastTurn?.turnId === run.turnId);
	return useProviderName(newest?.providerId);
}
