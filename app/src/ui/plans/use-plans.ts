import type { Channel, Contact } from "@xworkmate/contracts";
import { useCallback, useEffect, useRef, useState } from "react";
import type { PlansView } from "../../api/plan-view.ts";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";

export interface Read<T> {
	readonly value?: T;
	readonly problem?: string;
	read(): void;
}

/**
 * Reads now, again when the app responds again, and after each change of the plan `planId` or, without an id, of any plan. The earlier result
 * stays until the new one arrives.
 */
export function usePlanRead<T>(ask: () => Promise<T>, planId?: string): Read<T> {
	const { state, link } = useApp();
	const news = useStore(link.planNews);
	const count = planId === undefined ? news.count : (news.of[planId] ?? 0);
	const [got, setGot] = useState<{ readonly value?: T; readonly problem?: string }>({});
	/** The number of the newest read. The results of earlier ones are dropped. */
	const current = useRef(0);
	const read = useCallback(() => {
		current.current += 1;
		const own = current.current;
		ask().then(
			(value) => own === current.current && setGot({ value }),
			(error: unknown) => own === current.current && setGot((before) => ({ ...before, problem: sayError(error) })),
		);
	}, [ask]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: read again with each change
	useEffect(() => {
		if (state === "live") read();
	}, [read, state, count]);
	return { ...got, read };
}

const askBook = () => callApp("planBook", {});
const askContacts = () => callApp("contacts", {}).then(({ contacts }) => contacts);
const askChannels = () => callApp("channels", {}).then(({ channels }) => channels);

/** All plans as the app has them. */
export function usePlans(): Read<PlansView> {
	return usePlanRead(askBook);
}

/** Since when the plans' states and counts may be out of date; undefined while the bridge reports their changes. */
export function usePlansAsOf(): string | undefined {
	const { app, state, heardAt } = useApp();
	return app.plans?.asOf ?? (state === "live" ? undefined : heardAt);
}

/** The contacts that can receive messages. */
export function useContacts(): Read<readonly Contact[]> {
	return usePlanRead<readonly Contact[]>(askContacts);
}

/** Where messages can go. */
export function useChannels(): Read<readonly Channel[]> {
	return usePlanRead<readonly Channel[]>(askChannels);
}
