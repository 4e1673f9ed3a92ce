import type { AuthProfiles } from "@xworkmate/contracts";
import { useCallback, useEffect, useRef, useState } from "react";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";

interface Accounts {
	readonly answer?: AuthProfiles;
	/** When the read that returned `answer` began, or when a change returned it, by this page's clock. */
	readonly readAt?: string;
	/** Why the newest read failed; absent if it succeeded. */
	readonly problem?: string;
}

/** How often the accounts are read. Their state changes with every run, and over time. */
const READ_EVERY_MS = 10_000;

/** The accounts as the bridge reports them, read repeatedly while the page shows them. If a later read fails, the earlier result stays. */
export function useAccounts(isLive: boolean) {
	const [accounts, setAccounts] = useState<Accounts>({});
	/** The number of the newest read or change. The result of an earlier read is dropped. */
	const current = useRef(0);
	const set = useCallback((answer: AuthProfiles) => {
		current.current += 1;
		setAccounts({ answer, readAt: new Date().toISOString() });
	}, []);
	const read = useCallback(async () => {
		current.current += 1;
		const own = current.current;
		const readAt = new Date().toISOString();
		try {
			const answer = await callApp("accounts", {});
			if (own === current.current) setAccounts({ answer, readAt });
		} catch (error) {
			if (own === current.current) setAccounts((before) => ({ ...before, problem: sayError(error) }));
		}
	}, []);
	useEffect(() => {
		if (!isLive) return;
		const again = () => {
			if (!document.hidden) void read();
		};
		again();
		const timer = setInterval(again, READ_EVERY_MS);
		document.addEventListener("visibilitychange", again);
		return () => {
			clearInterval(timer);
			document.removeEventListener("visibilitychange", again);
		};
	}, [read, isLive]);
	return { ...accounts, set, read };
}
