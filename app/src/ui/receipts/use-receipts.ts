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

/** The filter of the address as a query; a value that is none is refused by the app, whose words say so. */
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
	/** Newer ones exist. They are shown on request, because users press moving rows by mistake. */
	readonly hasNewer?: true;
}

/** The receipts that a filter leaves, page by page. `changed`: whatever may mean that there are newer ones. */
export function useReceipts(filter: ReceiptFilter, changed: unknown) {
	const [listed, setListed] = useState<Listed>({});
	const [isReading, setReading] = useState(false);
	/** The read whose answer counts. */
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
	// biome-ignore lint/correctness/useExhaustiveDependencies: asked whenever something may have changed
	useEffect(() => {
		if (newest === undefined || listed.hasNewer) return;
		let stale = false;
		const query = { ...queryOf(JSON.parse(mark) as ReceiptFilter, Date.now()), limit: 1 };
		callApp("listReceipts", query).then(
			({ items }) => {
				const isNewer = !stale && items[0] !== undefined && items[0].receiptId !== newest;
				if (isNewer) setListed((before) => ({ ...before, hasNewer: true }));
			},
			// The list says what is wrong when it is read.
			() => undefined,
		);
		return () => {
			stale = true;
		};
	}, [changed]);
	return { ...listed, isReading, read: () => void read(), readMore: () => void read(listed) };
}
