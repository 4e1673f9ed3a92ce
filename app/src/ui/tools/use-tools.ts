import type { Integration } from "@xworkmate/contracts";
import { useCallback, useRef, useState } from "react";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { inOrder } from "./integration-order.ts";
import { useToolNews } from "./use-tool-news.ts";

interface Tools {
	readonly integrations?: readonly Integration[];
	readonly problem?: string;
}

/** The integrations as the bridge has them. */
export function useTools() {
	const [tools, setTools] = useState<Tools>({});
	/** Counts the reads and the lists that were set. The result of a read is dropped if either happened after it began. */
	const current = useRef(0);
	const set = useCallback((integrations: readonly Integration[]) => {
		current.current += 1;
		setTools({ integrations: inOrder(integrations) });
	}, []);
	const read = useCallback(() => {
		current.current += 1;
		const own = current.current;
		callApp("listTools", {}).then(
			({ integrations }) => own === current.current && setTools({ integrations: inOrder(integrations) }),
			// After a failed read, the earlier list stays.
			(error: unknown) => own === current.current && setTools((before) => ({ ...before, problem: sayError(error) })),
		);
	}, []);
	useToolNews(read);
	return { ...tools, set, read };
}

/** How many integrations have a version that waits for the user's review. */
export function useToReview(): number {
	const { integrations = [] } = useTools();
	return integrations.filter(({ state }) => state === "unaccepted").length;
}
