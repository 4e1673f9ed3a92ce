import { fileURLToPath } from "node:url";
import { mergeConfig } from "vite";
import product from "../../../vite.config.ts";

/** The page of all parts, for pictures and the accessibility check; nothing of it is in the product. */
export default mergeConfig(product, { root: fileURLToPath(new URL(".", import.meta.url)) });
