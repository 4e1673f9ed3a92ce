import type { OpenClawMethodName, OpenClawResult, openClawMethods } from "@xworkmate/contracts";
import type { z } from "zod";

/** Params parsed by the contract's schema, with defaults filled in. */
export type CheckedParams<M extends OpenClawMethodName> = z.output<(typeof openClawMethods)[M]["params"]>;

/** One handler per method. A handler throws PluginError to refuse a call. */
export type Handlers = { readonly [M in OpenClawMethodName]: (params: CheckedParams<M>) => Promise<OpenClawResult<M>> | OpenClawResult<M> };
