import type { Receipt, ReceiptId } from "@xworkmate/contracts";
import { useCallback, useEffect, useState } from "react";
import type { Given } from "../../api/method.ts";
import type { appMethods } from "../../api/methods.ts";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { useStore } from "../connection/store.ts";
import { usePlanRead } from "../plans/use-plans.ts";
import { useApp } from "../state/app-context.tsx";
import type { ReceiptFilter } from "../state/route.ts";
import { callKey, type Trails } from "./receipt-groups.ts";
import { verification } from "./verification.ts";

type Query = Given<(typeof appMethods)["listReceipts"]>;

const PAGE = 200;
const DAY_MS = 86_400_000;

/** The filter in the address as a query. An invalid number of days is left out. The app refuses any other invalid value and says so. */
export function queryOf({ origin, toolId, type, threadId, runId, planId, days }: ReceiptFilter, now: number): Query {
	const since = days !== undefined && /^\d{1,4}$/.test(days) ? new Date(now - Number(days) * DAY_MS).toISOString() : undefined;
	return {
		limit: PAGE,
		...(origin !== undefined && { origin: origin as Query["origin"] }),
		...(type !== undefined && { type: type as Query["type"] }),
		...(toolId !== undefined && { toolId }),
		...(threadId !== undefined && { threadId }),
		...(runId !== undefined && { runId }),
		...(planId !== undefined && { planId }),
		...(since !== undefined && { since }),
	};
}

interface Listed {
	/** The filter that all of these receipts match. */
	readonly mark: string;
	readonly receipts: readonly Receipt[];
	readonly nextCursor?: string;
	/** The newest receipts, while they are not listed yet. */
	readonly held?: Listed;
}

/**
 * The receipts that match a filter: the newest, read again with every change to a plan or a thread and after a verification, and older ones
 * on request. Newer ones are listed at once if `mayMove` says that rows may move; otherwise on request, because the user would lose their
 * place or click on the wrong row.
 */
export function useReceipts(filter: ReceiptFilter, mayMove: () => boolean) {
	const { app } = useApp();
	const { verified } = useStore(verification);
	const mark = JSON.stringify(filter);
	/** Kept while the page is open, so that each trail is read once. */
	const [trails] = useState(() => new Map<string, readonly Receipt[]>());
	const ask = useCallback(() => askPage(mark, trails), [mark, trails]);
	// New receipts of a run change the run's thread, so a change to the threads also causes a read.
	const { value: newest, problem, asOf, read } = usePlanRead(ask, filter.planId, [app.threads, verified]);
	const [listed, setListed] = useState<Listed>();
	const [isReadingMore, setReadingMore] = useState(false);
	const [moreProblem, setMoreProblem] = useState<string>();
	// biome-ignore lint/correctness/useExhaustiveDependencies: only when something was read
	useEffect(() => {
		if (newest === undefined) return;
		const moves = mayMove();
		setListed((before) => withNewest(before, newest, moves));
		setMoreProblem(undefined);
	}, [newest]);
	const readMore = async () => {
		if (listed?.nextCursor === undefined) return;
		setReadingMore(true);
		setMoreProblem(undefined);
		try {
			const { receipts, ...end } = await askPage(listed.mark, trails, listed.nextCursor);
			setListed((before) => {
				// The list may have been replaced in the meantime, for example because the filter has changed.
				if (before?.mark !== listed.mark || before.nextCursor !== listed.nextCursor) return before;
				return { ...end, receipts: [...before.receipts, ...receipts], ...(before.held && { held: before.held }) };
			});
		} catch (error) {
			setMoreProblem(sayError(error));
		} finally {
			setReadingMore(false);
		}
	};
	// Receipts that match the previous filter are shown only until those of the new one arrive or can't be read.
	const shown = listed?.mark === mark || problem === undefined ? listed : undefined;
	return {
		trails: trails as Trails,
		...{ receipts: shown?.receipts, nextCursor: shown?.nextCursor, hasNewer: shown?.held !== undefined },
		problem: problem ?? moreProblem,
		asOf: shown === undefined ? undefined : asOf,
		isReading: isReadingMore || (listed?.mark !== mark && problem === undefined),
		...{ read, readMore: () => void readMore() },
		showNewer: () => setListed((before) => before?.held && joined(before, before.held)),
	};
}

/** Reads a page, and adds to `trails` those that the names of its calls need. */
async function askPage(mark: string, trails: Map<string, readonly Receipt[]>, cursor?: string): Promise<Listed> {
	const query = queryOf(JSON.parse(mark) as ReceiptFilter, Date.now());
	const { items, nextCursor } = await callApp("listReceipts", { ...query, ...(cursor !== undefined && { cursor }) });
	await addTrails(items, trails);
	return { mark, receipts: items, ...(nextCursor !== undefined && { nextCursor }) };
}

/** A filtered list may lack the first receipt of a call, which has its name. A call whose trail can't be read is listed by its tool. */
async function addTrails(receipts: readonly Receipt[], trails: Map<string, readonly Receipt[]>): Promise<void> {
	const calls = Map.groupBy(receipts, callKey);
	const unnamed = [...calls].filter(([key = "", ofCall]) => !trails.has(key) && ofCall.every(({ type }) => type !== "tool.call.requested"));
	const read = async (key: string | undefined, receiptId: ReceiptId | undefined) => {
		if (key === undefined || receiptId === undefined) return;
		const shown = await callApp("receipt", { receiptId }).catch(() => undefined);
		if (shown !== undefined) trails.set(key, shown.trail);
	};
	await Promise.all(unnamed.map(([key, ofCall]) => read(key, ofCall[0]?.receiptId)));
}

function withNewest(before: Listed | undefined, newest: Listed, moves: boolean): Listed {
	if (before === undefined || before.mark !== newest.mark) return newest;
	return isNewer(newest.receipts[0], before.receipts) && !moves ? { ...before, held: newest } : joined(before, newest);
}

/** True if `newest` is newer than the listed receipts. After a deletion of receipts, `newest` may be an older one that isn't listed. */
function isNewer(newest: Receipt | undefined, listed: readonly Receipt[]): boolean {
	const [first] = listed;
	if (newest === undefined || first === undefined || listed.some(({ receiptId }) => receiptId === newest.receiptId)) return false;
	return Date.parse(newest.at) >= Date.parse(first.at);
}

/** The newest receipts, followed by the older ones that are listed already. If the two don't overlap, some between them may be missing. */
function joined(before: Listed, newest: Listed): Listed {
	const oldest = newest.receipts.at(-1)?.receiptId;
	const place = before.receipts.findIndex(({ receiptId }) => receiptId === oldest);
	if (place === -1) return newest;
	const { mark, receipts, nextCursor } = before;
	return { mark, receipts: [...newest.receipts, ...receipts.slice(place + 1)], ...(nextCursor !== undefined && { nextCursor }) };
}
