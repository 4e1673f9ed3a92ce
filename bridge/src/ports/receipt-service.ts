import type { MethodParams, MethodResult } from "@xworkmate/contracts";

type Served = "list" | "get" | "verify";

/** `xworkmate.receipts.*` and `xworkmate.activity.get`. Every refusal is a ContractError. */
export type ReceiptService = {
	readonly [Name in Served]: (params: MethodParams<`xworkmate.receipts.${Name}`>) => Promise<MethodResult<`xworkmate.receipts.${Name}`>>;
} & {
	activity(params: MethodParams<"xworkmate.activity.get">): Promise<MethodResult<"xworkmate.activity.get">>;
};
