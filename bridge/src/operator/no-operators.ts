import type { OperatorService } from "../ports/operator-service.ts";

/** A bridge that no operator's service is connected to. */
export const noOperators: OperatorService = { list: async () => ({ operators: [] }) };
