import type { MethodParams, MethodResult } from "@xworkmate/contracts";

type Served = "list" | "reload" | "accept" | "add" | "new" | "sources" | "policy";

/** `xworkmate.tools.*`, one function for each method. Every refusal is a ContractError. */
export type ToolService = {
	readonly [Name in Served]: (params: MethodParams<`xworkmate.tools.${Name}`>) => Promise<MethodResult<`xworkmate.tools.${Name}`>>;
};
