export { checkContract } from "./check-contract.ts";
export { createArtifactVault } from "./file-artifact-vault.ts";
export { createRunWorkspace } from "./file-run-workspace.ts";
export { sweepInputs } from "./store-attachments.ts";
