import type { MethodResult } from "@xworkmate/contracts";

export interface OperatorService {
	/** The state of every operator. One that is not set up is listed as off. */
	list(): Promise<MethodResult<"xworkmate.operators.list">>;
}
