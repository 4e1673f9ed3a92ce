import { ContractError, type ResultCode } from "@xworkmate/contracts";
import { AppError } from "../../errors/app-error.ts";
import { BridgeTransportError } from "./bridge-errors.ts";
import type { EndDetail } from "./turn-end.ts";

/** What a failed call means for a turn. */
export interface FailureVerdict {
	/** Asking again may help. */
	readonly again: boolean;
	/** The request certainly never reached the bridge. */
	readonly unreached: boolean;
	readonly resultCode: ResultCode;
	readonly detail: EndDetail;
}

/** Undefined for an error that does not come from a call: a defect of the app, to be rethrown. */
export function failureVerdict(error: unknown): FailureVerdict | undefined {
	if (error instanceof BridgeTransportError) {
		const detail = { code: error.bridgeCode ?? error.code, message: error.message };
		return { again: !error.final, unreached: error.code === "ACP_HTTP_CONNECT_FAILED", resultCode: error.code, detail };
	}
	if (error instanceof ContractError) {
		const detail = { code: error.code, message: error.message };
		// The bridge answered, so this answer is the result: the run's outcome cannot be learned from it.
		return { again: error.retryable, unreached: false, resultCode: error.retryable ? "ACP_HTTP_200" : "interrupted", detail };
	}
	if (error instanceof AppError) {
		const detail = { code: error.code, message: error.message, fix: error.fix };
		return { again: error.code === "BRIDGE_NOT_RUNNING", unreached: true, resultCode: "ACP_HTTP_CONNECT_FAILED", detail };
	}
	return undefined;
}
