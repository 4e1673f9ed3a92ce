import type { ThreadId } from "@xworkmate/contracts";
import { useCallback, useEffect, useState } from "react";
import type { ThreadSummary } from "../../api/ui-api.ts";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";
import { useConnection } from "../state/use-connection.ts";
import { useReadAgain } from "../state/use-read-again.ts";
import { ThreadReader } from "./thread-reader.ts";

/** How often the watch is renewed: well within the time for which the app watches the folder. */
const WATCH_AGAIN_MS = 30_000;

/** Reads the thread now, and again when the app reports a change or responds again, or when a read has failed. */
export function useThreadReader(threadId: ThreadId, summary: ThreadSummary | undefined): ThreadReader {
	const { link } = useApp();
	const connection = useConnection();
	// An opened stream shows that the app responds, so the small state reconnects at once instead of waiting for its next attempt.
	const [reader] = useState(() => new ThreadReader(threadId, link.tryNow));
	useEffect(() => {
		reader.begin();
		return () => reader.close();
	}, [reader]);
	// The run's current step arrives by its own stream. Any other change in the summary means that the stored thread has changed.
	const mark = summary && JSON.stringify({ ...summary, doing: undefined });
	// biome-ignore lint/correctness/useExhaustiveDependencies: a new summary of this thread triggers a read
	useEffect(() => {
		if (connection !== undefined) void reader.read();
	}, [reader, mark, connection]);
	const { failedReads = 0, isGone = false } = useStore(reader.open);
	const read = useCallback(() => void reader.read(), [reader]);
	useReadAgain(isGone ? 0 : failedReads, read);
	useFilesWatch(reader, connection);
	const news = useStore(link.fileNews).get(threadId);
	useEffect(() => {
		if (news !== undefined) void reader.readFiles();
	}, [reader, news]);
	return reader;
}

/** While this page shows the thread, the app watches its folder. A hidden page lets the watch expire. */
function useFilesWatch(reader: ThreadReader, connection: number | undefined): void {
	useEffect(() => {
		if (connection === undefined) return;
		const renew = () => {
			if (!document.hidden) void reader.watchFiles();
		};
		renew();
		const timer = setInterval(renew, WATCH_AGAIN_MS);
		document.addEventListener("visibilitychange", renew);
		return () => {
			clearInterval(timer);
			document.removeEventListener("visibilitychange", renew);
		};
	}, [reader, connection]);
}
