import { ContractError } from "@xworkmate/contracts";
import { diskFull, isDiskFull } from "../ports/disk-full.ts";

/** Any thrown value as the error that crosses the wire. What is not a ContractError is the bridge's own failure; its words stay here. */
export function normalizeError(error: unknown): ContractError {
	if (error instanceof ContractError) return error;
	return isDiskFull(error) ? diskFull("nothing was started or changed", error) : new ContractError("INTERNAL", { cause: error });
}
