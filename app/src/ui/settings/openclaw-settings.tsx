import { words } from "../../strings/interface.ts";
import { GatewayBlock } from "./gateway-block.tsx";

/** The OpenClaw gateway: whether it is connected, as the bridge reports it. */
export function OpenClawSettings() {
	return <GatewayBlock title={words.doctor.gateway} />;
}
