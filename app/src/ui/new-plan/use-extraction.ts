import { useRef, useState } from "react";
import { localZone } from "../../text/zoned-time.ts";
import { callApp } from "../connection/call-app.ts";
import type { Extraction } from "./draft-answers.ts";

interface ReadSentence {
	/** The sentence from which `extraction` was read. */
	readonly text: string;
	readonly extraction: Extraction;
	readonly tookMs: number;
}

/** Reads sentences. The answer to an earlier sentence is dropped once another sentence is being read. */
export function useExtraction() {
	const [read, setRead] = useState<ReadSentence>();
	const [isReading, setReading] = useState(false);
	const [error, setError] = useState<unknown>();
	const latest = useRef(0);
	const readSentence = async (text: string) => {
		latest.current += 1;
		const own = latest.current;
		const began = performance.now();
		setReading(true);
		setError(undefined);
		try {
			const extraction = await callApp("extractPlan", { text, timezone: localZone() });
			if (own === latest.current) setRead({ text, extraction, tookMs: performance.now() - began });
		} catch (caught) {
			if (own !== latest.current) return;
			setRead(undefined);
			setError(caught);
		} finally {
			if (own === latest.current) setReading(false);
		}
	};
	return { read, isReading, error, readSentence };
}
