import type { Receipt } from "@xworkmate/contracts";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Given } from "../../api/method.ts";
import type { appMethods } from "../../api/methods.ts";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import type { ReceiptFilter } from "../state/route.ts";

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
	readonly receipts?: readonly Receipt[];
	readonly nextCursor?: string;
	readonly problem?: string;
	/** True if there are newer receipts. They are shown only on request, because users would click on the wrong row if rows moved. */
	readonly hasNewer?: true;
}

/** The receipts that match a filter, page by page. When `changed` changes, there may be newer ones. */
export function useReceipts(filter: ReceiptFilter, changed: unknown) {
	const [listed, setListed] = useState<Listed>({});
	const [isReading, setReading] = useState(false);
	/** The number of the newest read. The results of earlier ones are dropped. */
	const current = useRef(0);
	const mark = JSON.stringify(filter);
	const read = useCallback(
		async (after: Listed = {}) => {
			current.current += 1;
			const own = current.current;
			setReading(true);
			const { nextCursor: cursor, receipts: before = [] } = after;
			try {
				const page = await callApp("listReceipts", {
					...queryOf(JSON.parse(mark) as ReceiptFilter, Date.now()),
					...(cursor !== undefined && { cursor }),
				});
				if (own !== current.current) return;
				setListed({ receipts: [...before, ...page.items], ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) });
			} catch (error) {
				if (own === current.current) setListed({ ...after, problem: sayError(error) });
			} finally {
				if (own === current.current) setReading(false);
			}
		},
		[mark],
	);
	useEffect(() => void read(), [read]);
	const newest = listed.receipts === undefined ? undefined : (listed.receipts[0]?.receiptId ?? "none");
	// biome-ignore lint/correctness/useExhaustiveDependencies: requested whenever something may have changed
	useEffect(() => {
		if (newest === undefined || listed.hasNewer) return;
		let stale = false;
		const query = { ...queryOf(JSON.parse(mark) as ReceiptFilter, Date.now()), limit: 1 };
		callApp("listReceipts", query).then(
			({ items }) => {
				const isNewer = !stale && items[0] !== undefined && items[0].receiptId !== newest;
				if (isNewer) setListed((before) => ({ ...before, hasNewer: true }));
			},
			// An error is ignored here: reading the list reports it.
			() => undefined,
		);
		return () => {
			stale = true;
		};
	}, [changed]);
	return { ...listed, isReading, read: () => void read(), readMore: () => void read(listed) };
}
