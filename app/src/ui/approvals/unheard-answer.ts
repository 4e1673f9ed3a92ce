import type { Approval } from "@xworkmate/contracts";
import { useEffect } from "react";
import { APP_GONE, AppRefusal } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";

/** How often the bridge is asked about a request whose answer it has not confirmed. */
const ASK_MS = 2_000;

/** True if the error says that the answer was not sent, or that it may not have arrived. */
export function isUnheard(error: unknown): boolean {
	return error instanceof AppRefusal && [APP_GONE, "ANSWER_NOT_SENT", "ANSWER_UNCONFIRMED"].includes(error.code);
}

/** After an answer that was not confirmed, asks the bridge for the request until the bridge responds, and passes on the record. */
export function useUnheardAnswer(approvalId: Approval["approvalId"], at: string | undefined, heard: (record: Approval) => void): void {
	// biome-ignore lint/correctness/useExhaustiveDependencies: `heard` only sets states
	useEffect(() => {
		if (at === undefined) return;
		let stale = false;
		const ask = () =>
			callApp("approvalInput", { approvalId }).then(
				({ record }) => !stale && heard(record),
				// Nothing has been learned, so the next call asks again.
				() => undefined,
			);
		const timer = setInterval(() => void ask(), ASK_MS);
		return () => {
			stale = true;
			clearInterval(timer);
		};
	}, [approvalId, at]);
}
