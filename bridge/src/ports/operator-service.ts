import type { MethodResult } from "@xworkmate/contracts";

export interface OperatorService {
	/** How every operator is; one that is not set up is there too, as off. */
	list(): Promise<MethodResult<"xworkmate.operators.list">>;
}
