import { createSign } from 'node:crypto';

/** A key that no service uses, and certificates for it: as SNS has them, and by another name. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQCd+bbVPDh7P1zv
bA0Iomk4NB4Nc/d9B8nEjEdQ62LjcPcBSMLNUm07X3l3EOLJ6AVCFXp2Huump3lU
6dZI6EDN08KaueL1Z7a9MOjkPz6pL8GeTaP/XY29psob7s7Bixsj7/qSf+3WCNLR
BE4AkHJ+UJ4LmUrIqxuS2M89Swmvt5tnufU72RGWv5tGaDCkGCW6CMrDnWlEDcqT
Smx44ZryMVldqs1KCL0eiB7uBQfg2TL5bErRH/IDsty7eu+fMKD/ArqGeb4CNqhx
vkmPdl33Pkm3AuLJiTBCP6iMFkcX9y6UAz8mM5tB8F2HAOdB6R5dTaXgqOY1fWT/
gK8VzpYlAgMBAAECggEABZSLk86zxA7B7qcncrWh991Hbnw5Ms5ynyHBZydZb+VO
pFn4n54Yw68ksEMFb9JlVSdDEycWdeWWkJxN+HdTyrF/P03vqXGHb/lpUJ63TOyl
7zyY3W1lk1xv6TqvTQDn7YYNmN0x/oyDPeTkCHsRwEqCurAohxwcNjy4XVboOa+5
cHTxpEWsYO7QR12OmWW2Or/uDYiguohadukOOoSPE8/7Vd7gtRRZqf3tMr/7Kbjx
K0H56mein2DqVY1wG0ZkntN9OQCBnya8ThTY9RuK6d2722pIbMEB1mt5F8++c44g
Zx6K83dz3SM5bPQrU06H6Ps/9SQqjxJVwuAMFPKvQQKBgQDT9/THNUeTK4P1ETrH
NLyn1YDcOl8Ju77K+nyAJOfEwfcX+4TUxlqJKwzW1dJdUp49VEKPAaWkbkbSFa4e
Oyj93cOQ1zQsU/Sufn19DMXLevghZDpGb5VGD5LHNJZMAxa0SHcu4rxDpLMfkCKi
t9LsoA34Sqnme60K22e1DCX9NQKBgQC+yoRBr4Eqh6GxsEZMBmEsOzXmoikAacdQ
Ls7nLYQ4kPs052CgYmN6IjFkG5stTDNXYOrK6xAHlUCA634e1KioaeNDSR91oWP8
Su2/IomlBKl95fRPDLfNgntkkpHBb0Uc74xG4/0AMDHKKgCg0t3F3TCI8IzMuH+l
F9gRs/uDMQKBgBUexbL7qhAN6+4FM3gZ1xpZ+ab34fRUUqRi5PjXtIg0U2x+UTPq
N6cnNPZLA9TsoHu345HgNiL2IfRY2KqGdoUlDZFm//nSu7SPQe2t0h9+Ny8Mj4np
IFSExLk4kiksvZxlBAsV6HBM/tQMRoc0Db4qDHpK5jbi59EHH4Q4m6hpAoGBAJx1
l2AGfPZTo9YDqKJP2QBczicEdHtSQ5EN0b7jJLr+qgMIe8UK6mkOAVMHEIplIvVV
FTay7cJKM0uF0zeVTXpO24AiRxo/767GA5Hq0NXyrMwB+Aebdl+h0W74g28NwK+q
Am9gJ+ovm6UeLMW2JwhMC7FBEzYPVx4cH6Tk5C0BAoGBAIWXZBMLK2UZlVzDQwrk
4trsck1Q8MOhrcS8HkenfuQRHZ2VOUv07FB2EMzpKvXHEFOMBujc5OQC7pvhEs/n
Dgv6zKfLi432SFfQnp2toGq/dY3jAjFVERcobh5qdOPINmn2hbZloYj/CyOfjfFe
iJrUEVb1xqIMRgo/sGyCRBb9
-----END PRIVATE KEY-----
`;
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIDUzCCAjugAwIBAgIUH9h3rpOi6olkeR/C0pnRJb79L64wDQYJKoZIhvcNAQEL
BQAwODELMAkGA1UEBhMCVVMxDTALBgNVBAoMBFRlc3QxGjAYBgNVBAMMEXNucy5h
bWF6b25hd3MuY29tMCAXDTI2MTEyMjEyMjEyNVoYDzIxMjYxMDI5MTIyMTI1WjA4
MQswCQYDVQQGEwJVUzENMAsGA1UECgwEVGVzdDEaMBgGA1UEAwwRc25zLmFtYXpv
bmF3cy5jb20wggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQCd+bbVPDh7
P1zvbA0Iomk4NB4Nc/d9B8nEjEdQ62LjcPcBSMLNUm07X3l3EOLJ6AVCFXp2Huum
p3lU6dZI6EDN08KaueL1Z7a9MOjkPz6pL8GeTaP/XY29psob7s7Bixsj7/qSf+3W
CNLRBE4AkHJ+UJ4LmUrIqxuS2M89Swmvt5tnufU72RGWv5tGaDCkGCW6CMrDnWlE
DcqTSmx44ZryMVldqs1KCL0eiB7uBQfg2TL5bErRH/IDsty7eu+fMKD/ArqGeb4C
NqhxvkmPdl33Pkm3AuLJiTBCP6iMFkcX9y6UAz8mM5tB8F2HAOdB6R5dTaXgqOY1
fWT/gK8VzpYlAgMBAAGjUzBRMB0GA1UdDgQWBBRc2sHq+F6JqE1VLWjfI0kwfl0g
FTAfBgNVHSMEGDAWgBRc2sHq+F6JqE1VLWjfI0kwfl0gFTAPBgNVHRMBAf8EBTAD
AQH/MA0GCSqGSIb3DQEBCwUAA4IBAQAhha8SggN6WMBUd+jLx4ft+TN429N5ksIr
9bLcJcM+fgredc9pcmj/HtuEnLKvsVZJyPdWQBtzJjqWCyKElm1AYuUT7GWF/ysy
Rh0M0pBlwGLpeNdu6R4tU5dOipZdeKPQ+7N6WucARNABOFxA4MtUsUXNKVbCuwWh
sm3UmgusZPj1PzkTjolKuLV3y83YwL00zdyb/qmV1PMkbEGgXGOH47m5kAPZcoBK
ywr2b0E2yGzNQEp0/OLqbUO/FEJtuyca3/HZFErGQde41annzZV/PPxsTI3xIn0r
nlTlN48b14CiRTLxyOeAHjPmYG6gcxewQH39Bv70OZqS60HOafEe
-----END CERTIFICATE-----
`;
export const OTHER_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIDNTCCAh2gAwIBAgIUFL13tXc8SiiEqJP+ZWVyHYdJxfUwDQYJKoZIhvcNAQEL
BQAwKTEnMCUGA1UEAwwec25zLmFtYXpvbmF3cy5jb20uZXZpbC5leGFtcGxlMCAX
DTI2MTEyMjEyMjEyNVoYDzIxMjYxMDI5MTIyMTI1WjApMScwJQYDVQQDDB5zbnMu
YW1hem9uYXdzLmNvbS5ldmlsLmV4YW1wbGUwggEiMA0GCSqGSIb3DQEBAQUAA4IB
DwAwggEKAoIBAQCd+bbVPDh7P1zvbA0Iomk4NB4Nc/d9B8nEjEdQ62LjcPcBSMLN
Um07X3l3EOLJ6AVCFXp2Huump3lU6dZI6EDN08KaueL1Z7a9MOjkPz6pL8GeTaP/
XY29psob7s7Bixsj7/qSf+3WCNLRBE4AkHJ+UJ4LmUrIqxuS2M89Swmvt5tnufU7
2RGWv5tGaDCkGCW6CMrDnWlEDcqTSmx44ZryMVldqs1KCL0eiB7uBQfg2TL5bErR
H/IDsty7eu+fMKD/ArqGeb4CNqhxvkmPdl33Pkm3AuLJiTBCP6iMFkcX9y6UAz8m
M5tB8F2HAOdB6R5dTaXgqOY1fWT/gK8VzpYlAgMBAAGjUzBRMB0GA1UdDgQWBBRc
2sHq+F6JqE1VLWjfI0kwfl0gFTAfBgNVHSMEGDAWgBRc2sHq+F6JqE1VLWjfI0kw
fl0gFTAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQBGpp18FE35
vkg9Ks/VJuKXdj3tZeIaVTfDwoP+6wFjeTih4xyebKCXjbBlOcCSLhiw/CStS2Lu
BrEDpnqM72cILElzxewAbBXbDvABpj2ym+GNV4iBUp6oY5O/1wZD5TPqd3zHPpdo
XhM/5F0jhCQ2w+e5riDXy1gjTEnBEJQcOUU9+tZ3HcntQtpLhPSz0BnXNSppp3hn
pEnmVB9HlSLZ99ceYKt/N3b1vp7c9bKAWZ1ZJ6uAVu1lNQhL2/NLfXHbblPzF9wn
ZmkvFUmu9thnmYoq2oYeufqIK7rRK+bW0H3sSNEWlKHe+zhUSglJ3EM+a7vX6xLa
p2UPXhqL+BBJ
-----END CERTIFICATE-----
`;

export const TOPIC = 'arn:aws:sns:us-west-2:123456789012:MyTopic';
export const CERTIFICATE_URL =
  'https://sns.us-west-2.amazonaws.com/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem';

/** Signs the fields of a message as SNS documents it, and says where its certificate is. */
export function signSns(message: Record<string, string>): Record<string, string> {
  const isConfirmation = message.Type !== 'Notification';
  const names = isConfirmation
    ? ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
    : ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
  let text = '';
  for (const name of names) if (message[name] !== undefined) text += `${name}\n${message[name]}\n`;
  const digest = message.SignatureVersion === '2' ? 'RSA-SHA256' : 'RSA-SHA1';
  const Signature = createSign(digest).update(text).sign(KEY, 'base64');
  return { SigningCertURL: CERTIFICATE_URL, ...message, Signature };
}
