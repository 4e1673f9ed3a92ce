import { ContractError } from "@xworkmate/contracts";
import type { Probe } from "./test-account.ts";

/** A bridge that cannot ask models. */
export const noProbe: Probe = () => Promise.reject(new ContractError("METHOD_NOT_FOUND"));
