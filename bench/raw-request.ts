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

/** CPU time of a server for one call, in microseconds. @param bodies what it is sent, in turn */
export async function requestCpu(
	pid: number,
	port: number,
	token: string,
	count: number,
	bodies: readonly object[] = [capabilities],
): Promise<number> {
	const requests = bodies.map((body) => rpcRequest(port, token, body));
	return (await cpuDuring(pid, () => sendRequests({ port, requests, count, connections: CONNECTIONS }))) / count;
}
