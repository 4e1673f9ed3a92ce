import type { Integration } from "@xworkmate/contracts";
import { useCallback, useEffect, useRef, useState } from "react";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { inOrder } from "./integration-order.ts";

interface Tools {
	readonly integrations?: readonly Integration[];
	readonly problem?: string;
}

/** The integrations as the bridge has them, read again whenever the user comes back: their files are edited elsewhere. */
export function useTools(isLive: boolean) {
	const [tools, setTools] = useState<Tools>({});
	/** The read whose answer counts. */
	const current = useRef(0);
	const set = useCallback((integrations: readonly Integration[]) => {
		current.current += 1;
		setTools({ integrations: inOrder(integrations) });
	}, []);
	const read = useCallback(async () => {
		current.current += 1;
		const own = current.current;
		try {
			const { integrations } = await callApp("listTools", {});
			if (own === current.current) setTools({ integrations: inOrder(integrations) });
		} catch (error) {
			// What was listed stays.
			if (own === current.current) setTools((before) => ({ ...before, problem: sayError(error) }));
		}
	}, []);
	useEffect(() => {
		if (!isLive) return;
		void read();
		const again = () => {
			if (!document.hidden) void read();
		};
		document.addEventListener("visibilitychange", again);
		addEventListener("focus", again);
		return () => {
			document.removeEventListener("visibilitychange", again);
			removeEventListener("focus", again);
		};
	}, [read, isLive]);
	return { ...tools, set, read: () => void read() };
}
