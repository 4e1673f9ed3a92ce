import type { Agent, Agents } from "@xworkmate/contracts";
import { useCallback, useRef, useState } from "react";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { useStore } from "../connection/store.ts";
import { useApp, useProviders } from "../state/app-context.tsx";
import { useReadAgain } from "../state/use-read-again.ts";
import { useReadOnReturn } from "../state/use-read-on-return.ts";

interface Known {
	readonly answer?: Agents;
	/** When the read that returned `answer` began, by this page's clock. */
	readonly readAt?: string;
	/** Why the newest read failed; absent if it succeeded. */
	readonly problem?: string;
	/** How many reads have failed since the last one that succeeded. */
	readonly failedReads: number;
}

/**
 * The agents as the bridge reports them. They are read again after each change, when the bridge can be reached again, and when the user
 * returns to the page, because installing or removing an agent in a terminal is not reported as a change. If a later read fails, the
 * earlier result stays, and the read is repeated.
 */
export function useAgents() {
	const { app, link } = useApp();
	const news = useStore(link.agentNews);
	const available = useProviders().flatMap((provider) => (provider.available ? provider.providerId : []));
	const isBridgeHere = app.bridge.state === "connected" && app.bridge.trouble === undefined;
	const [{ failedReads, ...known }, setKnown] = useState<Known>({ failedReads: 0 });
	/** The number of the newest read. The results of earlier ones are dropped. */
	const current = useRef(0);
	const usable = useRef<string>(undefined);
	const read = useCallback(async () => {
		current.current += 1;
		const own = current.current;
		const readAt = new Date().toISOString();
		try {
			const answer = await callApp("agents", {});
			if (own !== current.current) return;
			setKnown({ answer, readAt, failedReads: 0 });
			const now = answer.agents.map(({ agentId, source, state: how }) => `${agentId} ${source} ${how}`).join();
			// The bridge is asked again, because the rest of the page knows the agents only from the bridge's last answer.
			if (usable.current !== undefined && usable.current !== now) callApp("testBridge", {}).catch(() => undefined);
			usable.current = now;
		} catch (error) {
			if (own === current.current) setKnown((before) => failed(before, error));
		}
	}, []);
	// While the bridge is unreachable, nothing newer can be read. Without an earlier result, the agents are read anyway, because the error
	// says why there is none.
	const readIfHere = useCallback(() => {
		if (isBridgeHere || usable.current === undefined) void read();
	}, [read, isBridgeHere]);
	useReadOnReturn(readIfHere, `${news} ${available.join()}`);
	useReadAgain(failedReads, readIfHere);
	const put = useCallback(
		(agent: Agent) => {
			setKnown(({ answer, ...rest }) => ({
				...rest,
				...(answer && { answer: { ...answer, agents: answer.agents.map((one) => (one.agentId === agent.agentId ? agent : one)) } }),
			}));
			// The result of a read that began earlier, which may not include the change, is dropped.
			void read();
		},
		[read],
	);
	return { ...known, read, put };
}

function failed(before: Known, error: unknown): Known {
	return { ...before, problem: sayError(error), failedReads: before.failedReads + 1 };
}
