import { z } from "zod";
import type { BridgeProcess } from "../e2e/support/bridge/bridge-process.ts";
import { cpuDuring } from "./cpu-time.ts";
import { Program } from "./programs/program.ts";
import { rpcRequest, sendRequests } from "./request-load.ts";

const CONNECTIONS = 16;
const Ready = z.object({ port: z.number() });
const capabilities = { jsonrpc: "2.0", id: 1, method: "acp.capabilities", params: {} };

/** A bare node:http server, started with the bridge's own answer to `acp.capabilities`. */
export async function startRawServer(bridge: BridgeProcess): Promise<Program> {
	return Program.start("./json-server.ts", [JSON.stringify(await bridge.client().rpc("acp.capabilities"))]);
}

/** CPU time of the bare server for one request, in microseconds. */
export function rawRequestCpu(server: Program, token: string, count: number): Promise<number> {
	return requestCpu(server.pid, Ready.parse(server.ready).port, token, count);
}

/** CPU time of a server for one `acp.capabilities`, in microseconds. */
export async function requestCpu(pid: number, port: number, token: string, count: number): Promise<number> {
	const request = rpcRequest(port, token, capabilities);
	return (await cpuDuring(pid, () => sendRequests({ port, request, count, connections: CONNECTIONS }))) / count;
}
