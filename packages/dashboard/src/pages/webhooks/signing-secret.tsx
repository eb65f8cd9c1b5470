import { SecretBox } from '../../components/secret-box.tsx'

export const SigningSecret = ({ secret, sentence, onDone }: { secret: string; sentence: string; onDone(): void }) => (
  <SecretBox
    title="Signing secret"
    why="Copy it to your receiver now."
    secrets={[{ label: 'Secret', value: secret }]}
    sentence={sentence}
    onDone={onDone}
  />
)
