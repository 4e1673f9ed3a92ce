import { doctorWords } from "../../strings/doctor-words.ts";
import { GatewayBlock } from "./gateway-block.tsx";

/** The OpenClaw gateway: whether it is connected, as the bridge reports it. */
export function OpenClawSettings() {
	return <GatewayBlock title={doctorWords.gateway} />;
}
