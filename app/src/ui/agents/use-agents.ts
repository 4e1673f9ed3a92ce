import type { Agent, Agents } from "@xworkmate/contracts";
import { useCallback, useEffect, useRef, useState } from "react";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";

interface Known {
	readonly answer?: Agents;
	readonly problem?: string;
}

/** The agents as the bridge has them, read again after each change. If a later read fails, the earlier result stays. */
export function useAgents() {
	const { state, link } = useApp();
	const news = useStore(link.agentNews);
	const [known, setKnown] = useState<Known>({});
	/** The number of the newest read. The results of earlier ones are dropped. */
	const current = useRef(0);
	const usable = useRef<string>(undefined);
	const read = useCallback(async () => {
		current.current += 1;
		const own = current.current;
		try {
			const answer = await callApp("agents", {});
			if (own !== current.current) return;
			setKnown({ answer });
			const now = answer.agents.map(({ agentId, source, state: how }) => `${agentId} ${source} ${how}`).join();
			// Asks the bridge again, because the rest of the page knows the agents only from its last answer.
			if (usable.current !== undefined && usable.current !== now) callApp("testBridge", {}).catch(() => undefined);
			usable.current = now;
		} catch (error) {
			if (own === current.current) setKnown((before) => ({ ...before, problem: sayError(error) }));
		}
	}, []);
	// biome-ignore lint/correctness/useExhaustiveDependencies: read again with each change
	useEffect(() => {
		if (state === "live") void read();
	}, [read, state, news]);
	const put = useCallback(
		(agent: Agent) =>
			setKnown(({ answer, ...rest }) => ({
				...rest,
				...(answer && { answer: { ...answer, agents: answer.agents.map((one) => (one.agentId === agent.agentId ? agent : one)) } }),
			})),
		[],
	);
	return { ...known, read, put };
}
