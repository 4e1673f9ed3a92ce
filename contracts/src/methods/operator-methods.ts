import { z } from "zod";
import { Operator } from "../operators/operator.ts";
import type { MethodDefinition } from "./method-definition.ts";

export const operatorMethods = {
	"xworkmate.operators.list": {
		params: z.strictObject({}),
		result: z.object({ operators: z.array(Operator) }),
		streams: false,
		effects: false,
		summary: "Services through which the user talks to the bridge, with their state and problems.",
	},
} as const satisfies Record<string, MethodDefinition>;
