import { createContext, useCallback, useContext, useEffect, useRef, useState } from "react";
import type { PlansView } from "../../api/plan-view.ts";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";
import { useReadAgain } from "../state/use-read-again.ts";
import { useReportedAsOf } from "../state/use-reported-as-of.ts";
import { useRegained } from "./use-regained.ts";

export interface Read<T> {
	readonly value?: T;
	readonly problem?: string;
	/**
	 * When `value` was last known to be current, by this page's clock. Present if it may be out of date, although changes are reported:
	 * because a later read has failed, or because no read that began after they were reported again has succeeded yet.
	 */
	readonly asOf?: string;
	read(): void;
}

/** A read, for a part of the page that also reads from time to time. */
export interface PlanRead<T> extends Read<T> {
	/** The number of the newest read that has settled. */
	readonly settled: number;
	/** Reads, unless a read is in progress. */
	readIfIdle(): void;
}

/**
 * Reads now, again when the app responds or the bridge reports changes again, and after each change to the plan `planId` or, without an id,
 * of any plan. A read that fails is repeated until one succeeds. The earlier result stays until the new one arrives.
 * @param also values whose change also causes a read; their number must not change
 */
export function usePlanRead<T>(ask: () => Promise<T>, planId?: string, also: readonly unknown[] = []): PlanRead<T> {
	const { state, link } = useApp();
	const news = useStore(link.planNews);
	const count = planId === undefined ? news.count : (news.of[planId] ?? 0);
	const [got, setGot] = useState<Got<T>>({ failedReads: 0, readIn: 0, settled: 0 });
	const regained = useRegained(got.readIn);
	/** The count of `regained` that a read which begins now belongs to. */
	const readIn = useRef(0);
	useEffect(() => {
		readIn.current = regained.count;
	}, [regained.count]);
	/** The number of the newest read. The results of earlier ones are dropped. */
	const current = useRef(0);
	/** The number of the newest read that has settled. */
	const settled = useRef(0);
	const read = useCallback(() => {
		current.current += 1;
		const own = current.current;
		const begun = { readAt: new Date().toISOString(), readIn: readIn.current };
		const settle = (toGot: (before: Got<T>) => Got<T>) => {
			if (own !== current.current) return;
			settled.current = own;
			setGot(toGot);
		};
		ask().then(
			(value) => settle(() => ({ value, ...begun, failedReads: 0, settled: own })),
			(error: unknown) => settle((before) => failed(before, error, own)),
		);
	}, [ask]);
	// A new read drops the result of the previous one. If a timer could begin one during a read, a slow answer would never be shown.
	const readIfIdle = useCallback(() => {
		if (settled.current === current.current) read();
	}, [read]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: read again with each change
	useEffect(() => {
		if (state === "live") read();
	}, [read, state, count, regained.count, ...also]);
	const { failedReads, readAt, readIn: shownIn, settled: settledRead, ...shown } = got;
	useReadAgain(failedReads, readIfIdle);
	const isBehind = readAt !== undefined && shownIn !== regained.count;
	const asOf = failedReads > 0 ? readAt : isBehind ? (regained.lostAt ?? readAt) : undefined;
	return { ...shown, ...(asOf !== undefined && { asOf }), read, readIfIdle, settled: settledRead };
}

interface Got<T> extends Pick<Read<T>, "value" | "problem"> {
	/** When the last successful read began. */
	readonly readAt?: string;
	readonly failedReads: number;
	/** The `count` of `useRegained` when that read began. */
	readonly readIn: number;
	/** The number of the read that produced this result. */
	readonly settled: number;
}

function failed<T>(before: Got<T>, error: unknown, settled: number): Got<T> {
	return { ...before, problem: sayError(error), failedReads: before.failedReads + 1, settled };
}

const askBook = () => callApp("planBook", {});

/** All plans as the app has them. */
export function usePlans(): Read<PlansView> {
	return usePlanRead(askBook);
}

/** The `asOf` of what the surrounding part of the page shows. */
export const ReadAsOf = createContext<string | undefined>(undefined);

/**
 * Since when the plans' states and counts may be out of date; undefined while the bridge reports their changes and the page can read them.
 * @param readAsOf the `asOf` of what is shown, for a component that is outside the `ReadAsOf` it provides
 */
export function usePlansAsOf(readAsOf?: string): string | undefined {
	const around = useContext(ReadAsOf);
	const reported = useReportedAsOf();
	// The bridge may have stopped reporting before or after the last read, so the earlier of the two times counts.
	return [reported, readAsOf ?? around].filter((at) => at !== undefined).sort()[0];
}
