import { ContractError, type ResultCode } from "@xworkmate/contracts";
import { AppError } from "../../errors/app-error.ts";
import { BridgeTransportError } from "./bridge-errors.ts";
import type { EndDetail } from "./turn-end.ts";

/** What a failed call means for a turn. */
export interface FailureVerdict {
	/** True if asking again may help. */
	readonly again: boolean;
	/** True if the request certainly never reached the bridge. */
	readonly unreached: boolean;
	readonly resultCode: ResultCode;
	readonly detail: EndDetail;
}

/** Undefined for an error that no call threw. Such an error is a defect of the app, and the caller must rethrow it. */
export function failureVerdict(error: unknown): FailureVerdict | undefined {
	if (error instanceof BridgeTransportError) {
		const detail = { code: error.bridgeCode ?? error.code, message: error.message };
		return { again: !error.final, unreached: error.code === "ACP_HTTP_CONNECT_FAILED", resultCode: error.code, detail };
	}
	if (error instanceof ContractError) {
		const detail = { code: error.code, message: error.message };
		// Unless the error is retryable, asking the bridge about the run again would not reveal its outcome.
		return { again: error.retryable, unreached: false, resultCode: error.retryable ? "ACP_HTTP_200" : "interrupted", detail };
	}
	if (error instanceof AppError) {
		const detail = { code: error.code, message: error.message, fix: error.fix };
		return { again: error.code === "BRIDGE_NOT_RUNNING", unreached: true, resultCode: "ACP_HTTP_CONNECT_FAILED", detail };
	}
	return undefined;
}
