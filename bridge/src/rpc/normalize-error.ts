import { ContractError } from "@xworkmate/contracts";

/** Any thrown value as the error that crosses the wire. What is not a ContractError is the bridge's own failure; its words stay here. */
export function normalizeError(error: unknown): ContractError {
	return error instanceof ContractError ? error : new ContractError("INTERNAL", { cause: error });
}
