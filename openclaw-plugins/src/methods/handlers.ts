import type { OpenClawMethodName, OpenClawResult, openClawMethods } from "@xworkmate/contracts";
import type { z } from "zod";

/** Params as the contract's schema gives them out, defaults filled in. */
export type CheckedParams<M extends OpenClawMethodName> = z.output<(typeof openClawMethods)[M]["params"]>;

/** One handler a method; throws PluginError for a refusal. */
export type Handlers = { readonly [M in OpenClawMethodName]: (params: CheckedParams<M>) => Promise<OpenClawResult<M>> | OpenClawResult<M> };
